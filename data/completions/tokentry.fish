# Completion for fish: asks tokentry itself what may come next.

function __tokentry_words
    set -l line (commandline -opc)
    set -l typed (commandline -ct)
    set -l found ($line[1] complete-words: $line[2..] $typed 2>/dev/null)
    for candidate in $found
        if test "$candidate" = :files
            set -l option (string match -r '^--[^=]*=' -- $typed)
            printf '%s\n' "$option"(__fish_complete_path (string replace -r '^--[^=]*=' '' -- $typed))
        else
            echo $candidate
        end
    end
end

complete -c tokentry -f -a '(__tokentry_words)'
