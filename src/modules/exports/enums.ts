import { builder } from '../../graphql/builder.ts';
import { type KindName, kindNames, kinds } from './find-kind.ts';

export const ExportKind = builder.enumType('ExportKind', {
  description: 'The lists that can be exported.',
  values: Object.fromEntries(
    kindNames.map((name) => [name, { description: kinds[name].description }]),
  ) as Record<KindName, { description: string }>,
});

export const ExportFormat = builder.enumType('ExportFormat', {
  description: 'What a file is made of.',
  values: {
    ndjson: { description: 'A JSON object per line, as REST shows it, with the ids of related rows.' },
    csv: {
      description:
        'RFC 4180 in UTF-8 with a header. An amount has a second column, `…_decimal`, in units of its currency. A text that a spreadsheet would take for a formula has an apostrophe in front.',
    },
    parquet: { description: 'Columns, compressed with Snappy: amounts are INT64, times TIMESTAMP.' },
  } as const,
});

export const ExportStatus = builder.enumType('ExportStatus', {
  description: 'How far an export has come.',
  values: {
    queued: { description: 'It waits: three exports of an environment are written at a time.' },
    running: { description: 'It is being written.' },
    delivering: { description: 'Its files are there, and are sent to the address of its schedule.' },
    completed: {
      description: 'Its files are there, for 7 days, and at the address of its schedule, where it has one.',
    },
    failed: { description: 'It was given up. Files that could not be delivered are there all the same.' },
    canceled: { description: 'It was canceled before it was complete.' },
  } as const,
});
