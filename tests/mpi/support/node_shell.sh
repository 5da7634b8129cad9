#!/bin/sh
# Stands in for ssh, so that Open MPI takes this machine for several: node_shell.sh [options] HOST command...
# runs the command here, where it finds itself on a machine called HOST.
while case $1 in -*) true ;; *) false ;; esac; do shift; done
host=$1
shift
if [ "$(id -u)" = 0 ]; then own_name='unshare --uts'; else own_name='unshare --map-root-user --uts'; fi
exec $own_name sh -c 'hostname "$0" && exec sh -c "$1"' "$host" "$*"
