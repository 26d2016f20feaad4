import type {
  CaseSum,
  RecoveryMaker as Maker,
  RecoveryOutcome as Outcome,
} from '../../../../domain/metrics/recovery.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { MissingRate } from '../../fx-rates/types.ts';
import type { RecoveryPoint, RecoverySeries } from '../compute-recovery.ts';
import { RecoveryMaker, RecoveryOutcome } from '../enums.ts';

const amount =
  'Total of the invoices including tax, in the smallest currency unit, such as cents. `null` if an exchange rate is missing.';

const OutcomeSum = builder
  .objectRef<CaseSum & { readonly outcome: Outcome }>('RecoveryOutcomeSum')
  .implement({
    description: 'Invoices with the same outcome.',
    fields: (t) => ({
      outcome: t.expose('outcome', { type: RecoveryOutcome, description: 'Outcome of the invoices.' }),
      count: t.exposeInt('count', { description: 'Number of invoices.' }),
      amount: t.expose('amount', { type: 'SafeInt', amount: 'MINOR', nullable: true, description: amount }),
    }),
  });

const MakerSum = builder.objectRef<CaseSum & { readonly maker: Maker }>('RecoveryMakerSum').implement({
  description: 'Invoices that were recovered by payment attempts with the same origin.',
  fields: (t) => ({
    maker: t.expose('maker', { type: RecoveryMaker, description: 'Origin of the payment attempt.' }),
    count: t.exposeInt('count', { description: 'Number of invoices.' }),
    amount: t.expose('amount', { type: 'SafeInt', amount: 'MINOR', nullable: true, description: amount }),
  }),
});

const AttemptSum = builder.objectRef<CaseSum & { readonly attempt: number }>('RecoveryAttemptSum').implement({
  description: 'Invoices that were recovered by payment attempts with the same number.',
  fields: (t) => ({
    attempt: t.exposeInt('attempt', {
      description: 'Number of the payment attempt after the first failure, from 1 to 4.',
    }),
    count: t.exposeInt('count', { description: 'Number of invoices.' }),
    amount: t.expose('amount', { type: 'SafeInt', amount: 'MINOR', nullable: true, description: amount }),
  }),
});

const RecoveryPointType = builder.objectRef<RecoveryPoint>('RecoveryPoint').implement({
  description: 'Outcomes of the invoices whose first failed payment was in one interval.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'First day of the interval.' }),
    end: t.expose('end', { type: 'Date', description: 'Last day of the interval.' }),
    isClosed: t.exposeBoolean('isClosed', { description: 'Whether the last day of the interval has ended.' }),
    isFinal: t.exposeBoolean('isFinal', {
      description: '`true` if every invoice of the interval has a final outcome.',
    }),
    outcomes: t.field({
      type: [OutcomeSum],
      description: 'Invoices by outcome.',
      resolve: ({ outcomes }) => outcomes,
    }),
    recoveredBy: t.field({
      type: [MakerSum],
      description: 'Recovered invoices, grouped by the origin of the successful payment attempt.',
      resolve: ({ recoveredBy }) => recoveredBy,
    }),
    attempts: t.field({
      type: [AttemptSum],
      description: 'Recovered invoices, grouped by the number of the successful payment attempt.',
      resolve: ({ attempts }) => attempts,
    }),
    rateByCountBps: t.exposeInt('rateByCountBps', {
      nullable: true,
      description:
        'Recovery rate by count: recovered ÷ (recovered + exhausted + canceled), in basis points; 10,000 = 100%. `null` if the divisor is 0.',
    }),
    rateByAmountBps: t.exposeInt('rateByAmountBps', {
      nullable: true,
      description:
        'Recovery rate by amount, in basis points; 10,000 = 100%. `null` if the divisor is 0 or an exchange rate is missing.',
    }),
  }),
});

export const RecoverySeriesType = builder.objectRef<RecoverySeries>('RecoverySeries').implement({
  description: 'Recovery of failed payments in one currency.',
  fields: (t) => ({
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts.',
      resolve: ({ currency }) => currency,
    }),
    isConverted: t.exposeBoolean('isConverted', {
      description: 'Whether amounts in other currencies were converted to this currency.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        '`false` if the values are incomplete because too many events are waiting to be processed.',
    }),
    missingRates: t.field({
      type: [MissingRate],
      description: 'Missing exchange rates.',
      resolve: ({ missingRates }) => [...missingRates],
    }),
    points: t.field({
      type: [RecoveryPointType],
      description: 'Points of the series, oldest first.',
      resolve: ({ points }) => [...points],
    }),
  }),
});

restView(
  'RecoverySeries',
  'RecoverySeries',
  'currency isConverted isComplete missingRates { currency day } points { start end isClosed isFinal outcomes { outcome count amount } recoveredBy { maker count amount } attempts { attempt count amount } rateByCountBps rateByAmountBps }',
);
