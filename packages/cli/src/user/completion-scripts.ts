import type { Invocation } from '../invocation.ts';

/** `atrium completion`: a script, on a terminal and in a pipe alike. */
export const printScript = async ({ words }: Invocation): Promise<void> => {
  process.stdout.write(scripts[words[0] as keyof typeof scripts]);
};

/** Each asks `atrium complete` with the words so far, the last of which is being typed. */
const scripts = {
  bash: `_atrium() {
  local IFS=$'\\n'
  COMPREPLY=($(atrium complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _atrium atrium
`,
  zsh: `#compdef atrium
_atrium() {
  local -a candidates
  candidates=("\${(@f)$(atrium complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=(\${candidates:#})
  if (( \${#candidates} )); then compadd -a candidates; else _files; fi
}
compdef _atrium atrium
`,
  fish: `function __atrium_complete
  set -l before (commandline -opc)
  atrium complete -- $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c atrium -f -a '(__atrium_complete)'
`,
} as const;
