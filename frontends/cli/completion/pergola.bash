# Completion of the pergola command for bash. The lists come from the command itself.
_pergola() {
    local cur=${COMP_WORDS[COMP_CWORD]} cmd=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(pergola --help | awk '/^  [a-z]/ {print $1}') --help --version" -- "$cur")
        return
    fi
    case $cur in
    --device=*)
        mapfile -t COMPREPLY < <(compgen -W "$(pergola devices | awk 'NR > 1 {print $1}')" -- "${cur#--device=}")
        return
        ;;
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$(pergola "$cmd" --help 2>/dev/null | grep -oE '(^|[ [])--[a-z][a-z-]*=?' | tr -d ' [' | sort -u)" -- "$cur")
        return
        ;;
    esac
    case $cmd in
    regs)
        mapfile -t COMPREPLY < <(compgen -W "$(pergola regs | awk '{print $2}')" -- "${cur^^}")
        ;;
    rules)
        mapfile -t COMPREPLY < <(compgen -W "$(pergola rules | awk '{print $1}')" -- "${cur^^}")
        ;;
    *)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        ;;
    esac
}
complete -o nospace -F _pergola pergola
