#!/bin/bash
# A verifier whose tasks are programs that do as a verifier might: called as
# 'verify FILE OPTION...', it runs the file with the options as arguments.
exec bash "${@:2}"
