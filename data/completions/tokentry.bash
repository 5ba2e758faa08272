# Completion for bash: asks tokentry itself what may come next.
# shellcheck shell=bash

_tokentry() {
  local -a words=()
  local index word typed=$2 kept candidate
  # Bash splits "--option=value" and "file:path" at the signs, so the parts are joined again.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ${#words[@]} -gt 0 && ($word == [=:] || ${COMP_WORDS[index - 1]} == [=:]) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  [[ $typed != [=:] ]] || typed=
  # The part before the last sign has been typed already.
  kept=${words[-1]%"$typed"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    if [[ $candidate == :files ]]; then
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$typed")
      compopt -o filenames 2>/dev/null
    elif [[ $candidate == "${words[-1]}"* ]]; then
      printf -v candidate %q "${candidate#"$kept"}"
      COMPREPLY+=("$candidate")
    fi
  done < <("$1" complete-words: "${words[@]}" 2>/dev/null)
  # After "file:" a path follows, so add no space.
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _tokentry tokentry
