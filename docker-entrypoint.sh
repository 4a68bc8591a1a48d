#!/bin/sh
# Runs Keycard as the user node. As root, it keeps three capabilities, with which Keycard starts OCR workers as a user
# of their own and stops them; workers get none. Started as another user, or without these, workers share Keycard's.
set -eu
[ "$(id -u)" = 0 ] || exec "$@"
export HOME=/home/node
capabilities=+setuid,+setgid,+kill
identity='--reuid=node --regid=node --init-groups --no-new-privs'
workers="--inh-caps=$capabilities --ambient-caps=$capabilities"
if setpriv $identity $workers -- true 2>/dev/null; then
  exec setpriv $identity $workers -- "$@"
fi
exec setpriv $identity -- "$@"
