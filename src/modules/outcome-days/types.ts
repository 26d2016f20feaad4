import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import type { TrialPoint, TrialSeries } from './compute-trials.ts';

const counts = {
  started: 'Trials that began.',
  ended: 'Trials that ended, or were left early.',
  converted: 'Those of them whose subscription was activated, also on a later day.',
  lost: 'Those of them whose subscription was canceled instead.',
  open: 'Those of them whose first charge is still being collected.',
} as const;

const TrialPointType = builder.objectRef<TrialPoint>('TrialPoint').implement({
  description: 'Trials of one span of days.',
  fields: (t) => {
    const count = (name: keyof typeof counts) =>
      t.int({ description: counts[name], resolve: (point) => Number(point[name]) });
    return {
      start: t.expose('start', { type: 'Date', description: 'Its first day.' }),
      end: t.expose('end', { type: 'Date', description: 'Its last day.' }),
      isClosed: t.exposeBoolean('isClosed', { description: 'Whether its last day is over.' }),
      isFinal: t.exposeBoolean('isFinal', { description: 'Whether no trial that ended is open.' }),
      started: count('started'),
      ended: count('ended'),
      converted: count('converted'),
      lost: count('lost'),
      open: count('open'),
      conversionBps: t.int({
        nullable: true,
        description: 'Converted ÷ (converted + lost), basis points; null where it would divide by 0.',
        resolve: ({ conversionBps }) => (conversionBps === null ? null : Number(conversionBps)),
      }),
    };
  },
});

export const TrialSeriesType = builder.objectRef<TrialSeries>('TrialSeries').implement({
  description: 'Trials, point by point: by the day they began, and by the day they ended.',
  fields: (t) => ({
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False while more events wait to be added up than a read adds.',
    }),
    points: t.field({
      type: [TrialPointType],
      description: 'Its points, the earliest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'TrialSeries',
  'TrialSeries',
  'isComplete points { start end isClosed isFinal started ended converted lost open conversionBps }',
);
