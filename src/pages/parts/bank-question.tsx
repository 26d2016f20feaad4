import { usePage } from '../data/current-page.ts';
import { moneyText } from '../format.ts';
import type { Errors } from '../words/areas.ts';
import type { Authentication, BankProps } from './bank.tsx';
import { Button, ButtonRow } from './button.tsx';
import { Alert } from './frame.tsx';
import styles from './section.module.css';

/** Runs Stripe's authentication of the payment if Stripe requires it. */
async function askAtStripe({ publishableKey, clientSecret }: Authentication): Promise<void> {
  if (publishableKey === null || clientSecret === null) return;
  const { authenticateAtStripe } = await import('../data/stripe.ts');
  await authenticateAtStripe(publishableKey, clientSecret);
}

/** Asks the customer to confirm the payment with their bank. */
export function BankQuestion({
  authentication,
  steps,
  onAnswer,
  words: bank,
}: BankProps & { readonly words: Errors['bank'] }) {
  const page = usePage();
  const amount = moneyText(page, authentication, authentication.amount);
  return (
    <section id="authentication" class={styles.section} aria-labelledby="authentication-title">
      <h2 id="authentication-title" class={styles.title}>
        {bank.title}
      </h2>
      <p id="authentication-text">{authentication.amount > 0 ? bank.paying({ amount }) : bank.storing}</p>
      <Alert text={steps.alert} />
      <ButtonRow>
        <Button
          id="confirm"
          disabled={steps.isBusy}
          // The service reads the outcome from Stripe.
          onClick={() => onAnswer(true, () => askAtStripe(authentication))}
        >
          {bank.confirm}
        </Button>
        <Button
          kind="quiet"
          id="reject"
          disabled={steps.isBusy}
          onClick={() => onAnswer(false, async () => undefined)}
        >
          {bank.decline}
        </Button>
      </ButtonRow>
    </section>
  );
}
