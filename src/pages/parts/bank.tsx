import { useActing } from '../data/late.ts';
import type { Steps } from '../data/use-steps.ts';

/** What the payer has to confirm with the bank. */
export type Authentication = {
  readonly amount: number;
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly publishableKey: string | null;
  readonly clientSecret: string | null;
};

export type BankProps = {
  readonly authentication: Authentication;
  readonly steps: Steps;
  /** Tells the service the answer of the payer, once Stripe has asked where it has to. */
  readonly onAnswer: (succeed: boolean, ask: () => Promise<void>) => void;
};

/** What the payer is asked where the bank wants a confirmation, which mostly is after a step. */
export function Bank(props: BankProps) {
  const { BankQuestion } = useActing() ?? {};
  return BankQuestion === undefined ? null : <BankQuestion {...props} />;
}
