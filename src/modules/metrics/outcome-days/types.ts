import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { TrialPoint, TrialSeries } from './compute-trials.ts';

const counts = {
  started: 'Number of trials that started.',
  ended: 'Number of trials that ended, whether early or on schedule.',
  converted: 'Number of ended trials whose subscription was activated, even on a later day.',
  lost: 'Number of ended trials whose subscription was canceled.',
  open: 'Number of ended trials whose first charge is still being collected.',
} as const;

const TrialPointType = builder.objectRef<TrialPoint>('TrialPoint').implement({
  description: 'Free trials that started or ended in one interval.',
  fields: (t) => {
    const count = (name: keyof typeof counts) =>
      t.int({ description: counts[name], resolve: (point) => Number(point[name]) });
    return {
      start: t.member('start', 'Date').describe('First day of the interval.'),
      end: t.member('end', 'Date').describe('Last day of the interval.'),
      isClosed: t.member('isClosed', 'Boolean').describe('Whether the last day of the interval has ended.'),
      isFinal: t.member('isFinal', 'Boolean').describe('Whether every ended trial was converted or lost.'),
      started: count('started'),
      ended: count('ended'),
      converted: count('converted'),
      lost: count('lost'),
      open: count('open'),
      conversionBps: t.int({
        nullable: true,
        description:
          'Conversion rate: converted ÷ (converted + lost). In basis points; 10,000 = 100%. `null` if the divisor is 0.',
        resolve: ({ conversionBps }) => (conversionBps === null ? null : Number(conversionBps)),
      }),
    };
  },
});

export const TrialSeriesType = builder.objectRef<TrialSeries>('TrialSeries').implement({
  description: 'Started free trials by start day, and outcomes of ended free trials by end day.',
  fields: (t) => ({
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe('`false` if the values are incomplete because too many events are waiting to be processed.'),
    points: t.member('points', [TrialPointType]).describe('Points of the series, oldest first.'),
  }),
});

restView(
  'TrialSeries',
  'TrialSeries',
  'isComplete points { start end isClosed isFinal started ended converted lost open conversionBps }',
);
