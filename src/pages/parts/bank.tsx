import { useLazyCode } from '../data/lazy-code.ts';
import type { PageActions } from '../data/use-page-actions.ts';

/** Authentication that the customer must complete with their bank. */
export type Authentication = {
  readonly amount: number;
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly publishableKey: string | null;
  readonly clientSecret: string | null;
};

export type BankProps = {
  readonly authentication: Authentication;
  readonly steps: PageActions;
  /** Called with the customer's decision. `ask` runs Stripe's authentication if it's required. */
  readonly onAnswer: (succeed: boolean, ask: () => Promise<void>) => void;
};

/** Bank confirmation, which usually appears after an action. Its code is loaded on demand. */
export function Bank(props: BankProps) {
  const lazyCode = useLazyCode();
  return lazyCode === null ? null : <lazyCode.BankQuestion {...props} words={lazyCode.words.bank} />;
}
