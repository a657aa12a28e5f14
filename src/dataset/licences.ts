/** @file Licences of the program sets that are known by name; for the data card. */

const LICENCES: Readonly<Record<string, string>> = {
  codeio: 'Apache-2.0 (open-thought/reasoning-gym)',
  exercism: 'MIT (exercism/python)',
  keon: 'MIT (keon/algorithms)',
  leetcode: 'MIT (newfacade/LeetCodeDataset)',
  leetcode_doocs: 'CC-BY-SA-4.0 (doocs/leetcode)',
  library_doctests:
    'MIT and BSD-3-Clause (more-itertools, boltons, toolz, sympy, pydash, inflection, humanize)',
  mathqa: 'Apache-2.0 (MathQA; the copy used states none of its own)',
  mbpp: 'CC-BY-4.0 (google-research/google-research)',
  p3: 'MIT (microsoft/PythonProgrammingPuzzles)',
  thealgorithms: 'MIT (TheAlgorithms/Python)',
  thirty_seconds: 'CC0-1.0 (30-seconds/30-seconds-of-python)',
  generated: 'MIT (this project)',
};

export const licenceOf = (name: string): string =>
  LICENCES[name.replace(/^generated-\d$/, 'generated')] ?? 'not stated';
