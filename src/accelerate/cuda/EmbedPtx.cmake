# Writes SOURCE, a C++ file that holds the text of PTX, or none.
set(text "")
if(PTX)
  file(READ ${PTX} text)
endif()
file(WRITE ${SOURCE} "// Made of the transfer kernel.\n#include \"accelerate/cuda/ptx.hpp\"\n
const char* halocline::accelerate::transfer_ptx() {\n  return R\"PTX(${text})PTX\";\n}\n")
