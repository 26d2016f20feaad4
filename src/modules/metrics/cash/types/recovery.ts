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
    description: 'Invoices with the same outcome after a failed payment.',
    fields: (t) => ({
      outcome: t
        .member('outcome', RecoveryOutcome)
        .describe('Outcome of the invoices after their first failed payment.'),
      count: t.member('count', 'Int').describe('Number of invoices.'),
      amount: t.maybe('amount', 'MINOR').describe(amount),
    }),
  });

const MakerSum = builder.objectRef<CaseSum & { readonly maker: Maker }>('RecoveryMakerSum').implement({
  description: 'Invoices that were recovered by payment attempts with the same origin.',
  fields: (t) => ({
    maker: t
      .member('maker', RecoveryMaker)
      .describe('Origin of the payment attempts that recovered the invoices.'),
    count: t.member('count', 'Int').describe('Number of invoices.'),
    amount: t.maybe('amount', 'MINOR').describe(amount),
  }),
});

const AttemptSum = builder.objectRef<CaseSum & { readonly attempt: number }>('RecoveryAttemptSum').implement({
  description:
    'Invoices that were recovered by the same payment attempt after the first failure, such as the second attempt.',
  fields: (t) => ({
    attempt: t
      .member('attempt', 'Int')
      .describe('Number of the payment attempt after the first failure, from 1 to 4.'),
    count: t.member('count', 'Int').describe('Number of invoices.'),
    amount: t.maybe('amount', 'MINOR').describe(amount),
  }),
});

const RecoveryPointType = builder.objectRef<RecoveryPoint>('RecoveryPoint').implement({
  description: 'Outcomes of the invoices whose first failed payment was in one interval.',
  fields: (t) => ({
    start: t.member('start', 'Date').describe('First day of the interval.'),
    end: t.member('end', 'Date').describe('Last day of the interval.'),
    isClosed: t.member('isClosed', 'Boolean').describe('Whether the last day of the interval has ended.'),
    isFinal: t
      .member('isFinal', 'Boolean')
      .describe('`true` if every invoice in the interval has a final outcome.'),
    outcomes: t
      .member('outcomes', [OutcomeSum])
      .describe('Number and total of the invoices, grouped by outcome.'),
    recoveredBy: t
      .member('recoveredBy', [MakerSum])
      .describe('Recovered invoices, grouped by the origin of the successful payment attempt.'),
    attempts: t
      .member('attempts', [AttemptSum])
      .describe('Recovered invoices, grouped by the number of the successful payment attempt.'),
    rateByCountBps: t
      .maybe('rateByCountBps', 'Int')
      .describe(
        'Recovery rate by number of invoices: recovered ÷ (recovered + exhausted + canceled). In basis points; 10,000 = 100%. `null` if the divisor is 0.',
      ),
    rateByAmountBps: t
      .maybe('rateByAmountBps', 'Int')
      .describe(
        'Recovery rate by amount. Calculated like `rateByCountBps`, but with invoice totals instead of the number of invoices. In basis points; 10,000 = 100%. `null` if the divisor is 0 or an exchange rate is missing.',
      ),
  }),
});

export const RecoverySeriesType = builder.objectRef<RecoverySeries>('RecoverySeries').implement({
  description: 'Recovery of failed payments in one currency.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    isConverted: t
      .member('isConverted', 'Boolean')
      .describe('Whether amounts in other currencies were converted to this currency.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe('`false` if the values are incomplete because too many events are waiting to be processed.'),
    missingRates: t
      .member('missingRates', [MissingRate])
      .describe('Exchange rates that are missing for the conversion.'),
    points: t.member('points', [RecoveryPointType]).describe('Points of the series, oldest first.'),
  }),
});

restView(
  'RecoverySeries',
  'RecoverySeries',
  'currency isConverted isComplete missingRates { currency day } points { start end isClosed isFinal outcomes { outcome count amount } recoveredBy { maker count amount } attempts { attempt count amount } rateByCountBps rateByAmountBps }',
);
