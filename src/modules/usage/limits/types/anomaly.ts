import type { LimitAnomaly as Anomaly } from '../../../../domain/limits/limit.ts';
import { builder } from '../../../../graphql/reading/builder.ts';

const description =
  'Values of a day that are reported as unusual: above `minimum`, and above `factor` times the median of the last 28 days with usage.';

export const LimitAnomaly = builder.objectRef<Anomaly>('LimitAnomaly').implement({
  description,
  fields: (t) => ({
    factor: t.member('factor', 'Int').describe('Multiple of the median.'),
    minimum: t
      .member('minimum', 'SafeInt')
      .describe("Value in the unit of the limit's amount up to which no value is unusual."),
  }),
});

export const LimitAnomalyInput = builder.inputType('LimitAnomalyInput', {
  description,
  fields: (t) => ({
    factor: t.int({
      required: true,
      rule: { minimum: 2, maximum: 20 },
      description: 'Multiple of the median. From 2 to 20.',
    }),
    minimum: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0 },
      description: "Value in the unit of the limit's amount up to which no value is unusual. 0 or more.",
    }),
  }),
});

export const anomalyText =
  'Unusual values of a day, which `usage.anomaly` reports once a day. Only for the window `day` of customers and budgets. Nothing is reported until 7 earlier days have usage.';
