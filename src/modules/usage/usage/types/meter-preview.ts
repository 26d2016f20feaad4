import type { SampledPart } from '../../../../domain/meters/sample.ts';
import { decimalText } from '../../../../domain/money/amount-text.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { MeterPreview, PreviewedEvent } from '../preview-meter.ts';
import { UsageEvent } from './usage.ts';

const PreviewedEventType = builder.objectRef<PreviewedEvent>('FeatureMeterPreviewEvent').implement({
  description: 'Recorded usage event with the quantity that the meter would count.',
  fields: (t) => ({
    event: t.member('event', UsageEvent).describe('Recorded usage event.'),
    counted: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        "Quantity that the meter counts. 0 if the event doesn't meet the filters, or if its value was already counted. `null` if the meter can't count the event.",
      resolve: ({ units, decimals }) => (units === null ? null : decimalText(units, decimals)),
    }),
    values: t
      .maybe('values', 'TextMap')
      .describe("Value of each dimension. `null` if the meter has no dimensions or doesn't count the event."),
    problem: t
      .maybe('problem', 'String')
      .describe("Reason why the meter can't count the event. `null` if the meter counts the event."),
  }),
});

type Part = SampledPart & Pick<MeterPreview, 'decimals'>;

const PreviewedTotal = builder.objectRef<Part>('FeatureMeterPreviewTotal').implement({
  description: 'Total of the events with the same dimension values.',
  fields: (t) => ({
    values: t.member('values', 'TextMap').describe('Value of each dimension.'),
    total: t.field({
      type: 'Decimal',
      description: 'Sum of the quantities that the meter counts.',
      resolve: ({ units, decimals }) => decimalText(units, decimals),
    }),
  }),
});

export const FeatureMeterPreview = builder.objectRef<MeterPreview>('FeatureMeterPreview').implement({
  description: 'Effect that a meter would have on the latest usage events of a feature.',
  fields: (t) => ({
    events: t
      .member('events', [PreviewedEventType])
      .describe('Latest recorded usage events of the feature, newest first, without corrected events.'),
    total: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Total as if the events were the only events of a usage window. `null` if the total depends on the length of the usage window.',
      resolve: ({ total, decimals }) => (total === null ? null : decimalText(total, decimals)),
    }),
    totals: t.field({
      type: [PreviewedTotal],
      nullable: true,
      description: 'Totals by dimension values, largest first. `null` if the meter has no dimensions.',
      resolve: ({ parts, decimals }) => parts?.map((part) => ({ ...part, decimals })) ?? null,
    }),
    ...t.resource('feature_meter_preview'),
  }),
});

restView(
  'FeatureMeterPreview',
  'FeatureMeterPreview',
  `events { event { id featureCode value quantity customerId eventId ts createdAt properties { property value } } counted values problem }
  total totals { values total } object livemode`,
  { absentWhenUnset: ['events.event.quantity', 'events.values', 'events.problem', 'totals'] },
);
