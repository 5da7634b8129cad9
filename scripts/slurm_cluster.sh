#!/bin/bash
# slurm_cluster.sh NODES[xCORES] COMMAND...: runs a command on the login node of a cluster with Slurm on this machine.
#   scripts/slurm_cluster.sh 4x4 srun --nodes=4 hostname
#
# A node n0, n1, ... is a set of namespaces (network, host name, mounts, IPC) with its own /dev/shm, address and slurmd; the
# nodes and the host "login", with slurmctld and the command, are joined by a bridge. Slurm believes in CORES (4) of each,
# whatever there is. Needs root, iproute2, and Debian's slurmctld, slurmd, slurm-client and munge. Everything is taken down
# at the end, whatever happens; daemons and command end by themselves after HALOCLINE_CLUSTER_SECONDS (600).
set -euo pipefail

usage() { sed -n '2,3s/^# *//p' "$0" >&2; exit 2; }
die() { echo "slurm_cluster.sh: $*" >&2; exit 1; }
# Without zeros in front, which are octal to bash.
[[ ${1:-} =~ ^([1-9][0-9]?)(x([1-9][0-9]?))?$ ]] || usage
nodes=${BASH_REMATCH[1]} cores=${BASH_REMATCH[3]:-4}
shift
(($# > 0)) || usage
seconds=${HALOCLINE_CLUSTER_SECONDS:-600}
[[ $seconds =~ ^[1-9][0-9]{0,8}$ ]] || {
  echo "slurm_cluster.sh: HALOCLINE_CLUSTER_SECONDS=\"$seconds\" is not a number of seconds such as 600" >&2
  exit 2
}
((EUID == 0)) || die "network namespaces and slurmd need root"
PATH=$PATH:/usr/sbin:/sbin
for needed in slurmctld:slurmctld slurmd:slurmd srun:slurm-client munged:munge ip:iproute2 nsenter:util-linux; do
  command -v "${needed%:*}" >/dev/null || die "there is no ${needed%:*}; Debian's package ${needed#*:} has it"
done

dir=$(mktemp -d /tmp/slurm.XXXXXX) # a short name: those of sockets are limited
pids=()
command=
declare -A networks # by the names that the kernel has for them
# Daemons and steps outlive who started them, so nobody is asked.
end_all_on_nodes() {
  local process
  for process in /proc/[0-9]*; do
    [[ -n ${networks[$(readlink "$process/ns/net" 2>/dev/null || echo gone)]:-} ]] && kill -9 "${process#/proc/}"
  done || true
}
take_down() {
  [[ -z $command ]] || kill "$command" 2>/dev/null || true
  for try in 1 2 3; do end_all_on_nodes 2>/dev/null; done # what was being forked meanwhile
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap take_down EXIT
trap 'exit 1' INT TERM HUP

hosts=(login)
for ((i = 0; i < nodes; i++)); do hosts+=("n$i"); done
{
  echo 127.0.0.1 localhost
  for ((i = 0; i <= nodes; i++)); do echo "10.78.0.$((i + 1)) ${hosts[i]}"; done
} >"$dir/hosts"
mkdir "$dir/state" "$dir/log"

cat >"$dir/slurm.conf" <<CONF
ClusterName=halocline
SlurmctldHost=login(10.78.0.1)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge.sock
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdPidFile=$dir/%n/pid
SlurmdSpoolDir=$dir/%n/spool
SlurmdLogFile=$dir/log/%n
TmpFS=$dir/%n/tmp
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=1
SlurmdParameters=config_overrides
MpiParams=ports=30000-30999
ReturnToService=2
KillWait=1
NodeName=n[0-$((nodes - 1))] CPUs=$cores Boards=1 SocketsPerBoard=1 CoresPerSocket=$cores ThreadsPerCore=1 RealMemory=1000
PartitionName=all Nodes=ALL Default=YES MaxTime=$((seconds / 60 + 1)) State=UP
CONF
export SLURM_CONF=$dir/slurm.conf
((nodes > 1)) || sed -i 's/^NodeName=n\[0-0\]/NodeName=n0/' "$SLURM_CONF"

# A process that does nothing holds the namespaces of a host together.
for host in "${hosts[@]}"; do
  mkdir -p "$dir/$host/spool" "$dir/$host/tmp" "$dir/$host/cgroup"
  unshare -u -n -m -i --propagation private sh -c "
    hostname $host
    mount --bind '$dir/hosts' /etc/hosts
    mount -t tmpfs tmpfs /dev/shm
    ip link set lo up
    mount --rbind /sys/fs/cgroup '$dir/$host/cgroup' # slurmd wants it where it is
    mount -t sysfs sysfs /sys
    mount --rbind '$dir/$host/cgroup' /sys/fs/cgroup
    touch '$dir/ready.$host'
    exec sleep $seconds" </dev/null >/dev/null 2>&1 &
  pids+=($!)
  echo $! >"$dir/$host/holder"
done
for host in "${hosts[@]}"; do
  for ((try = 0; try < 100; try++)); do
    [[ -e $dir/ready.$host ]] && break
    sleep 0.05
  done
  [[ -e $dir/ready.$host ]] || die "the namespaces of $host could not be made"
  network=/proc/$(cat "$dir/$host/holder")/ns/net
  exec {held}<"$network" # as long as it is held nobody else's has its name
  networks[$(readlink "$network")]=1
done
on() { nsenter -t "$(cat "$dir/$1/holder")" -u -n -m -i -- "${@:2}"; }

on login sh -ec "ip link add bridge0 type bridge; ip addr add 10.78.0.1/24 dev bridge0; ip link set bridge0 up"
for ((i = 1; i <= nodes; i++)); do
  on login ip link add "port$i" type veth peer name net0 netns "$(cat "$dir/${hosts[i]}/holder")"
  on login ip link set "port$i" master bridge0 up
  on "${hosts[i]}" sh -ec "ip addr add 10.78.0.$((i + 1))/24 dev net0; ip link set net0 up"
done

daemon() { # HOST COMMAND...: its output goes where the logs are
  on "$1" timeout -k 5 "$seconds" "${@:2}" </dev/null >>"$dir/log/output" 2>&1 &
  pids+=($!)
}
(umask 077 && dd if=/dev/urandom of="$dir/munge.key" bs=128 count=1 2>/dev/null)
daemon login munged --foreground --force --key-file "$dir/munge.key" --socket "$dir/munge.sock" \
  --pid-file "$dir/munge.pid" --log-file "$dir/log/munged" --seed-file "$dir/munge.seed"
for ((try = 0; try < 100; try++)); do
  [[ -S $dir/munge.sock ]] && break
  sleep 0.05
done
daemon login slurmctld -D -c
for ((i = 1; i <= nodes; i++)); do daemon "${hosts[i]}" slurmd -D -N "${hosts[i]}"; done

ready() { [[ $(on login timeout 5 sinfo --noheader --Node --format=%T 2>/dev/null | grep -cx idle) == "$nodes" ]]; }
for ((try = 0; try < 60; try++)); do
  ready && break
  sleep 0.25
done
((try < 60)) || {
  tail -n 5 "$dir"/log/* >&2
  die "the nodes did not become idle"
}

# In the background, since bash hears of no signal while something runs before it.
on login env -C "$PWD" timeout -k 5 "$seconds" "$@" <&0 &
command=$!
status=0
wait "$command" || status=$?
command=
exit "$status"
