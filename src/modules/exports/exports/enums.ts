import { builder } from '../../../graphql/reading/builder.ts';
import { type KindName, kindNames, kinds } from './find-kind.ts';

export const ExportKind = builder.enumType('ExportKind', {
  description: 'Type of data to export: a list or a series.',
  values: Object.fromEntries(
    kindNames.map((name) => [name, { description: kinds[name].description }]),
  ) as Record<KindName, { description: string }>,
});

export const ExportFormat = builder.enumType('ExportFormat', {
  description: 'File format of an export.',
  values: {
    ndjson: {
      description:
        'One JSON object per line, in the format of the REST API. Each object also contains the IDs of related objects.',
    },
    csv: {
      description:
        'CSV according to RFC 4180, in UTF-8 with a header row. Each amount has a second column with the suffix `_decimal`, which contains the amount in currency units. Text that a spreadsheet would run as a formula is prefixed with an apostrophe.',
    },
    parquet: { description: 'Parquet with Snappy compression. Amounts are INT64, and times are TIMESTAMP.' },
  } as const,
});

builder.enumType('ExportStatus', {
  description: 'Status of an export.',
  values: {
    queued: {
      description:
        'The export is waiting to start. Up to 3 exports per environment are written at the same time.',
    },
    running: { description: 'The export is being written.' },
    delivering: { description: "The files are ready and are being sent to the schedule's delivery URL." },
    completed: {
      description:
        'The export is complete. Its files are available for 7 days. If the schedule has a delivery URL, the files were also delivered to this URL.',
    },
    failed: {
      description: "The export failed. Files that couldn't be delivered are still available for download.",
    },
    canceled: { description: 'The export was canceled before it was complete.' },
  } as const,
});
