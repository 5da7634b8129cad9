#!/bin/bash
# cluster.sh NODESxRANKS@RATE COMMAND...: runs a program under Open MPI on several "nodes" of this machine.
#   scripts/cluster.sh 4x8@1000mbit build/release/bin/halocline bench exchange
# Installed as halocline-cluster; halocline bench --cluster uses it.
#
# A node is a set of namespaces (network, host name, mounts, IPC) with its own /dev/shm; nodes are joined by a
# bridge, and each link is limited to the rate in both directions. Needs root, iproute2 and Open MPI. Everything
# is taken down at the end, whatever happens; nodes end by themselves after HALOCLINE_CLUSTER_SECONDS (600).
set -euo pipefail

usage() { sed -n '2,3s/^# *//p' "$0" >&2; exit 2; }
# Without zeros in front, which are octal to bash, and no more digits than it can count with.
[[ ${1:-} =~ ^([1-9][0-9]{0,2})x([1-9][0-9]{0,3})@([1-9][0-9]{0,6})mbit$ ]] || usage
nodes=${BASH_REMATCH[1]} ranks=${BASH_REMATCH[2]} rate=${BASH_REMATCH[3]}
shift
(($# > 0 && nodes > 0 && nodes < 200 && ranks > 0)) || usage
((EUID == 0)) || { echo "cluster.sh: network namespaces need root" >&2; exit 1; }

seconds=${HALOCLINE_CLUSTER_SECONDS:-600}
[[ $seconds =~ ^[1-9][0-9]{0,8}$ ]] || {
  echo "cluster.sh: HALOCLINE_CLUSTER_SECONDS=\"$seconds\" is not a number of seconds such as 600" >&2
  exit 2
}
dir=$(mktemp -d)
pids=()
launcher=
declare -A networks # of the nodes, by the names that the kernel has for them
# Programs outlive a launcher that was killed, above all under real-time scheduling, so nobody is asked.
end_all_on_nodes() {
  local process
  for process in /proc/[0-9]*; do
    [[ -n ${networks[$(readlink "$process/ns/net" 2>/dev/null || echo gone)]:-} ]] && kill -9 "${process#/proc/}"
  done || true
}
take_down() {
  if [[ -n $launcher ]]; then
    kill "$launcher" 2>/dev/null || true
    for ((try = 0; try < 20; try++)); do
      kill -0 "$launcher" 2>/dev/null || break
      sleep 0.1
    done
  fi
  end_all_on_nodes 2>/dev/null
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$dir"
}
trap take_down EXIT
trap 'exit 1' INT TERM

{
  echo 127.0.0.1 localhost
  for ((i = 0; i < nodes; i++)); do echo "10.77.0.$((i + 1)) node$i"; done
} >"$dir/hosts"

# A process that does nothing holds the namespaces of a node together.
for ((i = 0; i < nodes; i++)); do
  unshare -u -n -m -i --propagation private sh -c "
    hostname node$i
    mount --bind '$dir/hosts' /etc/hosts
    mount -t tmpfs tmpfs /dev/shm
    ip link set lo up
    mount -t sysfs sysfs /sys
    touch '$dir/ready.$i'
    exec sleep $seconds" </dev/null >/dev/null 2>&1 &
  pids+=($!)
  echo $! >"$dir/pid.node$i"
done
unshare -n sh -c "ip link add bridge0 type bridge; ip link set bridge0 up; touch '$dir/ready.bridge'
  exec sleep $seconds" </dev/null >/dev/null 2>&1 &
pids+=($!)
bridge=$!
for what in bridge $(seq 0 $((nodes - 1))); do
  for ((try = 0; try < 100; try++)); do
    [[ -e $dir/ready.$what ]] && break
    sleep 0.05
  done
  [[ -e $dir/ready.$what ]] || { echo "cluster.sh: the namespaces of $what could not be made" >&2; exit 1; }
done

# What the limiter lets pass in one go is longer than any packet: it would cut longer ones in software, which a network card
# does by itself, and messages of 32 KiB would cost more than two of 16 KiB.
limit="tbf rate ${rate}mbit burst 20kb limit 20mb"
longest_packet=18000
for ((i = 0; i < nodes; i++)); do
  node=$(cat "$dir/pid.node$i")
  networks[$(readlink "/proc/$node/ns/net")]=1
  nsenter -t "$bridge" -n sh -ec "
    ip link add port$i type veth peer name net0 netns $node
    ip link set port$i mtu 9000 master bridge0 up
    tc qdisc add dev port$i root $limit"
  nsenter -t "$node" -n sh -ec "
    ip link set net0 mtu 9000 txqueuelen 10000 gso_max_size $longest_packet
    ip addr add 10.77.0.$((i + 1))/24 dev net0
    ip link set net0 up
    tc qdisc add dev net0 root $limit"
  echo "node$i slots=$ranks"
done >"$dir/hostfile"

# Open MPI starts its daemons through this in place of ssh.
cat >"$dir/enter" <<AGENT
#!/bin/bash
while [[ \$1 == -* ]]; do shift; done
node=\$1; shift
exec nsenter -t "\$(cat "$dir/pid.\$node")" -u -n -m -i -- /bin/sh -c "\$*"
AGENT
chmod +x "$dir/enter"

# In the background, since bash hears of no signal while something runs before it.
nsenter -t "$(cat "$dir/pid.node0")" -u -n -m -i -- timeout -k 5 "$seconds" \
  mpirun --allow-run-as-root --oversubscribe -n $((nodes * ranks)) --hostfile "$dir/hostfile" --map-by slot \
  --bind-to none --mca plm_rsh_agent "$dir/enter" --mca plm_rsh_no_tree_spawn 1 \
  --mca orte_keep_fqdn_hostnames 1 --mca oob_tcp_if_include net0 --mca btl_tcp_if_include net0 --mca pml ob1 \
  --mca btl self,vader,tcp --mca mpi_yield_when_idle 1 --wdir "$PWD" "$@" <&0 &
launcher=$!
status=0
wait "$launcher" || status=$?
launcher=
exit "$status"
