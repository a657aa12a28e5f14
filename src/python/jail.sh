# A root of its own for one program: run by `unshare.ts` in new namespaces of mounts and processes.
#
#     sh jail.sh ROOT FOLDER SEEN... -- COMMAND...
#
# ROOT: an empty folder of the machine, to mount on. FOLDER: where the program works. SEEN: paths shown read-only; a path
# and a target with a line break between is a link. Everything else is memory, and gone with the last process.
set -eu
root=$1 folder=$2
shift 2
umask 022
mount -t tmpfs -o size=4m,mode=755 npdb "$root"

memory() {
  mkdir -p "$root$2"
  mount -t tmpfs -o "nosuid,nodev,size=$1,mode=1777" npdb "$root$2"
}

show() {
  case $1 in *"
"*) ln -s "${1#*
}" "$root${1%%
*}"; return ;;
  esac
  if [ -d "$1" ]; then mkdir -p "$root$1"
  else mkdir -p "$root${1%/*}"; : >"$root$1"
  fi
  mount --rbind "$1" "$root$1"
  # What the machine forbids on its own mounts cannot be allowed on ours.
  mount -o remount,bind,ro,nosuid "$root$1" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev "$root$1" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev,noexec "$root$1"
}

memory 64m /tmp
while [ "$1" != -- ]; do
  show "$1"
  shift
done
shift
mkdir -p "$root/proc" "$root/dev/shm" "$root/old"
mount -t proc -o ro,nosuid,nodev,noexec proc "$root/proc"
for device in null zero full random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
memory 16m /dev/shm
memory 64m "$folder"
pivot_root "$root" "$root/old"
cd /
umount -l /old
rmdir /old
mount -o remount,ro /
cd "$folder"
# This shell stays as the first process: signals to that one are lost, and no other one would bury what is left.
exec 3<&0
"$@" <&3 3<&- &
exec 3<&- </dev/null >/dev/null 2>&1
wait $!
