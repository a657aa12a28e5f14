import { describe, expect, it } from 'vitest';
import { parseProgram } from '../../source/index.ts';
import { pieceText } from '../pieces.ts';
import { encodeContext } from './encode.ts';
import { sourceLines } from './lexer.ts';

/** `line:indent|piece|piece`, strings and numbers marked by `~`. */
function shown(text: string): string[] {
  return sourceLines(text.split('\n')).map(({ line, indent, pieces }) =>
    [`${line}:${indent}`, ...pieces.map((p) => ('chars' in p ? '~' : '') + pieceText(p))].join('|'),
  );
}

describe('the source of the context', () => {
  it('drops blank lines, comments and the spaces between tokens', () => {
    expect(shown('# head\n\nif x  ==  1:  # one\n    y = [ 2 ]\n\t\n')).toEqual([
      '3:|if|x|==|~1|:',
      '4:    |y|=|[|~2|]',
    ]);
  });

  it('takes strings and numbers whole', () => {
    expect(shown(`x = rb'a\\'b' + f"{y!r}" + u'' + 0x_ff - 1_0.5e-3j * .5`)).toEqual([
      `1:|x|=|~rb'a\\'b'|+|~f"{y!r}"|+|~u''|+|~0x_ff|-|~1_0.5e-3j|*|~.5`,
    ]);
    expect(shown('a//=b**c->d...')).toEqual(['1:|a|//=|b|**|c|->|d|...']);
    expect(shown('größe = 𝒳1')).toEqual(['1:|größe|=|𝒳1']);
  });

  it('keeps every line within a string', () => {
    expect(shown('s = """a\n\n  # b\nc""" + t # d\nu')).toEqual([
      '1:|s|=|~"""a',
      '2:',
      '3:|~  # b',
      '4:|~c"""|+|t',
      '5:|u',
    ]);
    expect(shown("s = 'a\\\nb' # c\nt")).toEqual(["1:|s|=|~'a\\", "2:|~b'", '3:|t']);
  });

  it('goes on after what is no Python', () => {
    expect(shown("x = 'open\ny ? $ 😀\n")).toEqual(["1:|x|=|~'open", '2:|y|?|$|😀']);
  });

  it('refuses more lines than have names', () => {
    const long = 'x = 1\n'.repeat(512);
    expect(() => encodeContext([parseProgram(long)])).toThrow(
      expect.objectContaining({ code: 'E_TOO_LONG' }),
    );
    expect(() => encodeContext([parseProgram('x = 1\n'.repeat(511))])).not.toThrow();
  });
});
