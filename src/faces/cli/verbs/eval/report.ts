/** @file `npdb eval report`: one self-contained page from the states that `next-state --records` judged. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { reportHtml } from '../../../../eval/html/index.ts';
import { readRecords } from '../../../../eval/recordFile.ts';
import { reportMarkdown } from '../../../../eval/report.ts';
import { example } from '../../common.ts';

interface ReportOptions {
  readonly output: string;
  readonly markdown?: string;
}

export function reportVerb(verb: Command): void {
  const command = verb
    .command('report')
    .argument('<records>', 'what `npdb eval next-state --records` wrote')
    .description('A page with plots and examples of errors, from the states of one evaluation.')
    .requiredOption('-o, --output <file>', 'where the page goes (HTML)')
    .option('--markdown <file>', 'also write the tables as Markdown')
    .action((records: string, options: ReportOptions) => run(records, options));
  example(command, 'npdb eval report states.jsonl -o report.html');
}

async function run(path: string, options: ReportOptions): Promise<void> {
  const records = readRecords(path);
  await writeFile(options.output, reportHtml(records));
  if (options.markdown) await writeFile(options.markdown, reportMarkdown(records));
  process.stdout.write(`${records.records.length} states: ${options.output}\n`);
}
