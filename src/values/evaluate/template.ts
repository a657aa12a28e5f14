/** @file `'{} {name!r:>8}'.format(...)`: fields by order, number or name; no attribute or index inside. */
import type { Arguments } from './arguments.ts';
import { formatItem } from './format-spec.ts';
import { asValue, type Item, str } from './items.ts';
import { PythonError, type Run, Unknown, valueError } from './run.ts';
import { displayText, valueText } from './text.ts';

export function formatMethod(run: Run, template: string, { args, keywords }: Arguments): string {
  let automatic = 0;
  let numbered = false;
  const field = (name: string): Item => {
    if (name === '' || /^\d+$/.test(name)) {
      if (name === '' ? numbered : automatic > 0)
        throw valueError(
          name === ''
            ? 'cannot switch from manual field specification to automatic field numbering'
            : 'cannot switch from automatic field numbering to manual field specification',
        );
      if (name !== '') numbered = true;
      const index = name === '' ? automatic : Number(name);
      if (name === '') automatic += 1;
      const item = args[index];
      if (item === undefined)
        throw new PythonError(
          'IndexError',
          `Replacement index ${index} out of range for positional args tuple`,
        );
      return item;
    }
    if (!/^\w+$/.test(name)) throw new Unknown('this format is not evaluated here');
    const item = keywords.get(name);
    if (item === undefined) throw new PythonError('KeyError', `'${name}'`);
    return item;
  };
  return template.replace(
    /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::([^{}]*))?\}|[{}]/g,
    (whole, name?: string, conversion?: string, spec?: string) => {
      run.tick();
      if (whole === '{{' || whole === '}}') return whole[0] as string;
      if (name === undefined) throw new Unknown('this format is not evaluated here');
      return formatItem(converted(field(name), conversion), spec ?? '');
    },
  );
}

/** `!r`, `!s`, `!a` */
export function converted(item: Item, conversion: string | null | undefined): Item {
  if (!conversion) return item;
  if (conversion === 's') return str(displayText(item));
  const text = valueText(asValue(item));
  if (conversion === 'a' && /[^\x00-\x7f]/.test(text))
    throw new Unknown('ascii of such a text is not evaluated here');
  return str(text);
}
