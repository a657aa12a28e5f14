import { describe, expect, it } from 'vitest';
import { Collector, emptyHeader } from './collector.ts';
import { fullRequest } from './limits.ts';

const request = fullRequest({
  file: { name: '/home/me/x.py', text: 'f = abs\n' },
  call: 'f(1)',
  limits: { events: 2 },
  probes: [{ at: 0, expressions: ['x'] }],
});
const header = () => emptyHeader(request, '3.11.7', 'cpython');
const call = '{"e":"call","f":0,"l":1,"fn":"<module>","k":"module"}';
const line = '{"e":"line","f":0,"l":1}';

function collect(lines: readonly string[], keep = true) {
  const seen: string[] = [];
  const collector = new Collector(request, { onEvent: (event) => seen.push(event.e), keep });
  const over = lines.map((text) => collector.push(text));
  return { collector, over, seen, result: collector.result('killed', header) };
}

describe('what a child says', () => {
  it('becomes a result, probes included', () => {
    const { result, over, seen } = collect([
      JSON.stringify(header()),
      call,
      '{"e":"probe","i":0,"results":[{"value":"1","type":"int"}]}',
      '{"e":"end","status":"normal","events":1,"value":"1"}',
    ]);
    expect(over).toEqual([false, false, false, true]);
    expect(seen).toEqual(['call']);
    expect(result.probes).toEqual([[{ value: '1', type: 'int' }]]);
    expect(result.trace.end.value).toBe('1');
  });

  it('is kept up to where it stops', () => {
    const { result } = collect([JSON.stringify(header()), call]);
    expect(result.trace.events).toHaveLength(1);
    expect(result.trace.end).toEqual({ e: 'end', status: 'cut', reason: 'killed', events: 1 });
    expect(result.probes).toEqual([[]]);
  });

  it('is handed on and not kept where only that is asked for', () => {
    const whole = [JSON.stringify(header()), call, line, '{"e":"end","status":"normal","events":2}'];
    const { result, seen } = collect(whole, false);
    expect(seen).toEqual(['call', 'line']);
    expect(result.trace.events).toEqual([]);
    expect(result.trace.end).toMatchObject({ status: 'normal', events: 2 });
    expect(collect(whole.slice(0, 3), false).result.trace.end).toMatchObject({ status: 'cut', events: 2 });
  });

  it('needs not even begin: the header is then our own, without the path', () => {
    const { result } = collect([]);
    expect(result.trace.header.files.map((file) => file.name)).toEqual(['main.py', '<call>']);
    expect(result.trace.events).toEqual([]);
  });

  it.each([
    ['no JSON', 'Traceback (most recent call last):'],
    ['a value of the wrong type', '{"e":"line","f":0,"l":"1"}'],
    ['a frame that does not exist', '{"e":"line","f":7,"l":1}'],
    ['a malformed probe', '{"e":"probe","i":0,"results":[{"value":1}]}'],
    ['an end with a wrong count', '{"e":"end","status":"normal","events":9}'],
  ])('is not believed from the first bad line on: %s', (_, bad) => {
    const { result, over, collector } = collect([JSON.stringify(header()), call, bad, line]);
    expect(over).toEqual([false, false, true, true]);
    expect(collector.broken).not.toBeNull();
    expect(result.trace.events).toHaveLength(1);
    expect(result.trace.end).toMatchObject({ status: 'cut', reason: 'killed' });
  });

  it('cannot be more events than were asked for', () => {
    const { result, collector } = collect([JSON.stringify(header()), call, line, line]);
    expect(collector.overrun).toBe(true);
    expect(result.trace.events).toHaveLength(2);
  });

  it('cannot answer a probe that nobody asked', () => {
    const { result } = collect([JSON.stringify(header()), '{"e":"probe","i":5,"results":[]}']);
    expect(result.probes).toEqual([[]]);
  });
});

describe('limits', () => {
  it.each([
    ['events', 0],
    ['timeMs', -1],
    ['memoryMb', 1.5],
    ['timeMs', Number.NaN],
  ])('must be whole numbers: %s %s', (name, value) => {
    expect(() => fullRequest({ ...request, limits: { [name]: value } })).toThrow(
      expect.objectContaining({ code: 'E_LIMITS' }),
    );
  });
});
