import { builder } from '../../../graphql/reading/builder.ts';

builder.enumType('UsageCorrectionKind', {
  description: 'Type of a correction.',
  values: {
    void: { description: 'The usage event was voided.' },
    replace: { description: 'The usage event was voided, and another event was recorded in its place.' },
  } as const,
});
