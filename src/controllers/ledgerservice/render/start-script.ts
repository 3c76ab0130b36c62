/**
 * How a replica starts, in POSIX sh. It is the same for every service: what differs is in the environment.
 * Mind the kubelet, which reads a command before the shell does: it replaces a variable's name in round brackets after
 * a dollar, and makes one dollar of two.
 */
export const startScript = `set -eu

# Raft counts nodes from one, a StatefulSet counts pods from zero.
node_id=$((POD_INDEX + 1))

# The image has the program in its working directory; the PATH is for images that have it elsewhere.
server=ledger-server
if [ -x ./ledger-server ]; then
  server=./ledger-server
fi

# The ledger leaves this mark in its log once it is a member. From then on it finds the others by itself:
# to begin a second cluster, or to join twice, would tear the ledger apart.
if [ -e "$WAL_DIR/CLUSTER_JOINED" ]; then
  set --
elif [ "$POD_INDEX" -eq 0 ]; then
  set -- --bootstrap
else
  # A member is accepted at the Raft port, which is behind the last colon of the address. Where that is not a port
  # number, the container listens at the usual port.
  raft_port=
  case \${BIND_ADDR:-} in
    *:*) raft_port=\${BIND_ADDR##*:} ;;
  esac
  case $raft_port in
    *[!0-9]* | ??????*) raft_port= ;;
  esac
  raft_port=\${raft_port#"\${raft_port%%[!0]*}"}
  if [ -z "$raft_port" ] || [ "$raft_port" -gt 65535 ]; then
    raft_port=7777
  fi
  workload=\${POD_NAME%-*}
  set -- --join "$workload-0.$workload-headless.$POD_NAMESPACE.svc.cluster.local:$raft_port"
fi

# In place of the shell, so that the signal to stop reaches the ledger.
exec "$server" run --node-id "$node_id" "$@"
`

/** Whether this is a script of an early version of ours, with which no replica but the first ever becomes a member. */
export const joinsAtGrpcPort = (script: string): boolean =>
  script.includes('--join "$workload-0.$workload-headless.$POD_NAMESPACE.svc.cluster.local:$GRPC_PORT"')
