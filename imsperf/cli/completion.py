"""imsperf completion."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands, options, report ids, scenarios and tables.

    \b
    Examples:
      imsperf completion bash > ~/.imsperf-complete.bash    and source it in ~/.bashrc
      imsperf completion zsh > ~/.imsperf-complete.zsh      and source it in ~/.zshrc
      imsperf completion fish > ~/.config/fish/completions/imsperf.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None, "click has all three"
    script = kind(ctx.find_root().command, {}, "imsperf", "_IMSPERF_COMPLETE")
    # not `source()`: of bash it starts a shell to ask for its version
    words = script.source_template % script.source_vars()
    # of fish it would cut what a command does at its first comma
    click.echo(words.replace('string split ","', 'string split --max 1 ","'))
