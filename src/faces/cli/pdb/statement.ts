/**
 * @file What a line of Python asks for: `NAME = VALUE` (also `NAME op= VALUE`), an expression to look at, or a
 * statement that no engine can carry out. A text rule, no parser: it looks outside strings and brackets only.
 */

export type Statement =
  | { readonly type: 'assign'; readonly name: string; readonly value: string }
  | { readonly type: 'expression' }
  | { readonly type: 'other' };

const KEYWORD =
  /^(?:assert|async|break|class|continue|def|del|for|from|global|if|import|match(?=\s[^=]*:$)|nonlocal|pass|raise|return|try|while|with)(?![\p{L}\p{N}_])/u;

/** Methods that change what they are called on, where that is something the program has a name for. */
const CHANGES =
  /(?<![\p{L}\p{N}_.\])"'])[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*|\[[^\]]*\])*\.(?:append|appendleft|add|clear|discard|extend|extendleft|insert|pop|popitem|popleft|remove|reverse|rotate|setdefault|sort|update|write)\s*\(/u;

const ASSIGN = /(?<![=!<>:])(\*\*|\/\/|>>|<<|[-+*/%&|^@])?=(?!=)/;
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

export function readStatement(line: string): Statement {
  const flat = outside(line);
  if (KEYWORD.test(flat) || flat.includes(';')) return { type: 'other' };
  const found = /\blambda\b/.test(flat.split('=')[0]!) ? null : ASSIGN.exec(flat);
  if (found) {
    const name = line.slice(0, found.index).trim();
    const right = line.slice(found.index + found[0].length).trim();
    if (!NAME.test(name) || right === '') return { type: 'other' };
    const value = found[1] === undefined ? right : `${name} ${found[1]} (${right})`;
    return changes(right) ? { type: 'other' } : { type: 'assign', name, value };
  }
  return changes(line) ? { type: 'other' } : { type: 'expression' };
}

/** The expression would change the program's data (`xs.pop()`), or bind a name (`(x := 3)`). */
export function changes(expression: string): boolean {
  const text = outside(expression, false);
  return text.includes(':=') || CHANGES.test(text);
}

/** The line, equally long, with what stands in strings (and brackets) blanked. */
function outside(line: string, brackets = true): string {
  let depth = 0;
  let out = '';
  for (let i = 0; i < line.length; i += 1) {
    const c = line[i]!;
    const string = /^('''|"""|'|")/.exec(line.slice(i))?.[0];
    if (string) {
      let end = i + string.length;
      while (end < line.length && !line.startsWith(string, end)) end += line[end] === '\\' ? 2 : 1;
      end = Math.min(line.length, end + string.length);
      // A quote stays at the end, so that what follows is known to follow a string.
      out += `${'_'.repeat(end - i - 1)}"`;
      i = end - 1;
    } else if (c === '#') return out.padEnd(line.length);
    else {
      if ('([{'.includes(c)) depth += 1;
      out += brackets && depth > 0 ? '_' : c;
      if (')]}'.includes(c)) depth = Math.max(0, depth - 1);
    }
  }
  return out;
}
