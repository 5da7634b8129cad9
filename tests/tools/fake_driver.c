/* A libcuda.so.1 that knows FAKE_GPUS GPUs (1) and can do nothing with them, for what is said about GPUs.
   FAKE_FIRST_GPU is where the first one sits, so that processes can see different ones, FAKE_VERSION the
   version of the driver. */
#include <stdio.h>
#include <stdlib.h>

static int number(const char* variable, int otherwise) {
  const char* const text = getenv(variable);
  return text != NULL ? atoi(text) : otherwise;
}

static int gpus(void) {
  const char* const visible = getenv("CUDA_VISIBLE_DEVICES");
  return visible != NULL && *visible == '\0' ? 0 : number("FAKE_GPUS", 1);
}

int cuInit(unsigned flags) {
  (void)flags;
  return gpus() > 0 ? 0 : 100;
}
int cuDriverGetVersion(int* version) {
  *version = number("FAKE_VERSION", 12000);
  return 0;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == 100 ? "no CUDA-capable device is detected" : "not in a fake";
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = gpus();
  return 0;
}
int cuDeviceGetName(char* name, int length, int device) {
  (void)device;
  snprintf(name, (size_t)length, "fake");
  return 0;
}
int cuDeviceGetPCIBusId(char* place, int length, int device) {
  snprintf(place, (size_t)length, "0000:%02x:00.0", number("FAKE_FIRST_GPU", 0) + device);
  return 0;
}
int cuCtxGetCurrent(void** context) {
  *context = context;
  return 0;
}

#define EMPTY(name) \
  int name(void) { return 0; }
EMPTY(cuCtxGetDevice)
EMPTY(cuDevicePrimaryCtxRetain)
EMPTY(cuCtxPushCurrent_v2)
EMPTY(cuCtxPopCurrent_v2)
EMPTY(cuCtxSynchronize)
EMPTY(cuModuleLoadData)
EMPTY(cuModuleGetFunction)
EMPTY(cuEventCreate)

#define REFUSING(name) \
  int name(void) { return 801; }
REFUSING(cuLaunchKernel)
REFUSING(cuMemAlloc_v2)
REFUSING(cuMemFree_v2)
REFUSING(cuMemHostAlloc)
REFUSING(cuMemFreeHost)
REFUSING(cuMemcpyAsync)
REFUSING(cuStreamCreate)
REFUSING(cuStreamDestroy_v2)
REFUSING(cuStreamGetCtx)
REFUSING(cuStreamQuery)
REFUSING(cuStreamSynchronize)
REFUSING(cuStreamWaitEvent)
REFUSING(cuEventRecord)
REFUSING(cuIpcGetMemHandle)
REFUSING(cuIpcOpenMemHandle_v2)
REFUSING(cuIpcCloseMemHandle)
REFUSING(cuPointerGetAttribute)
REFUSING(cuPointerGetAttributes)
