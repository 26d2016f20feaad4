import type {
  CaseSum,
  RecoveryMaker as Maker,
  RecoveryOutcome as Outcome,
} from '../../../domain/metrics/recovery.ts';
import { builder } from '../../../graphql/builder.ts';
import { restView } from '../../../graphql/rest.ts';
import { Currency } from '../../currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import type { RecoveryPoint, RecoverySeries } from '../compute-recovery.ts';
import { RecoveryMaker, RecoveryOutcome } from '../enums.ts';

const amount = 'What they amount to with tax, minor units; null where an exchange rate is missing.';

const OutcomeSum = builder
  .objectRef<CaseSum & { readonly outcome: Outcome }>('RecoveryOutcomeSum')
  .implement({
    description: 'The invoices with one outcome.',
    fields: (t) => ({
      outcome: t.expose('outcome', { type: RecoveryOutcome, description: 'The outcome.' }),
      count: t.exposeInt('count', { description: 'How many.' }),
      amount: t.expose('amount', { type: 'SafeInt', amount: 'MINOR', nullable: true, description: amount }),
    }),
  });

const MakerSum = builder.objectRef<CaseSum & { readonly maker: Maker }>('RecoveryMakerSum').implement({
  description: 'The recovered invoices by who made the attempt.',
  fields: (t) => ({
    maker: t.expose('maker', { type: RecoveryMaker, description: 'Who made it.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
    amount: t.expose('amount', { type: 'SafeInt', amount: 'MINOR', nullable: true, description: amount }),
  }),
});

const AttemptSum = builder.objectRef<CaseSum & { readonly attempt: number }>('RecoveryAttemptSum').implement({
  description: 'The recovered invoices by the attempt that recovered them.',
  fields: (t) => ({
    attempt: t.exposeInt('attempt', { description: 'The attempt after the first failure, 1 to 4.' }),
    count: t.exposeInt('count', { description: 'How many.' }),
    amount: t.expose('amount', { type: 'SafeInt', amount: 'MINOR', nullable: true, description: amount }),
  }),
});

const RecoveryPointType = builder.objectRef<RecoveryPoint>('RecoveryPoint').implement({
  description: 'What became of the invoices whose collection failed first in one span of days.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'Its first day.' }),
    end: t.expose('end', { type: 'Date', description: 'Its last day.' }),
    isClosed: t.exposeBoolean('isClosed', { description: 'Whether its last day is over.' }),
    isFinal: t.exposeBoolean('isFinal', { description: 'Whether none is still being collected.' }),
    outcomes: t.field({
      type: [OutcomeSum],
      description: 'Its invoices by outcome, each outcome once.',
      resolve: ({ outcomes }) => outcomes,
    }),
    recoveredBy: t.field({
      type: [MakerSum],
      description: 'Its recovered invoices by who made the attempt.',
      resolve: ({ recoveredBy }) => recoveredBy,
    }),
    attempts: t.field({
      type: [AttemptSum],
      description: 'Its recovered invoices by the number of the attempt.',
      resolve: ({ attempts }) => attempts,
    }),
    rateByCountBps: t.exposeInt('rateByCountBps', {
      nullable: true,
      description:
        'Recovered invoices among those recovered, exhausted or canceled, basis points; null where there are none.',
    }),
    rateByAmountBps: t.exposeInt('rateByAmountBps', {
      nullable: true,
      description: 'The same of their amounts; null where there are none or an exchange rate is missing.',
    }),
  }),
});

export const RecoverySeriesType = builder.objectRef<RecoverySeries>('RecoverySeries').implement({
  description: 'Recovery of failed collections in one currency, point by point.',
  fields: (t) => ({
    currency: t.field({ type: Currency, description: 'The currency.', resolve: ({ currency }) => currency }),
    isConverted: t.exposeBoolean('isConverted', {
      description: 'Whether other currencies were converted into it.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False while more events wait to be added up than a read adds.',
    }),
    missingRates: t.field({
      type: [MissingRate],
      description: 'The exchange rates it lacks.',
      resolve: ({ missingRates }) => [...missingRates],
    }),
    points: t.field({
      type: [RecoveryPointType],
      description: 'Its points, the earliest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'RecoverySeries',
  'RecoverySeries',
  'currency isConverted isComplete missingRates { currency day } points { start end isClosed isFinal outcomes { outcome count amount } recoveredBy { maker count amount } attempts { attempt count amount } rateByCountBps rateByAmountBps }',
);
