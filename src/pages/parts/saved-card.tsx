import { usePage } from '../data/current-page.ts';
import type { Steps } from '../data/use-steps.ts';
import { Button } from './button.tsx';
import { brandNames } from './card-brands.ts';
import styles from './choices.module.css';
import { Field } from './field.tsx';
import section from './section.module.css';
import type { Card, SavedMethod } from './use-card.ts';

type SavedProps = { readonly card: Card; readonly saved: SavedMethod } & Pick<Steps, 'problems'>;

/** The choice between the stored card of the customer and another one. */
function Choice({ card, saved }: Pick<SavedProps, 'card' | 'saved'>) {
  const { words, language } = usePage();
  const { payment } = words;
  const names: Readonly<Record<string, string>> = brandNames;
  const month = String(saved.expMonth).padStart(2, '0');
  const name = `${names[saved.brand] ?? saved.brand} •••• ${saved.last4}`;
  const options = [
    [true, payment.savedCard(name, `${month}/${saved.expYear % 100}`)],
    [false, payment.anotherCard],
  ] as const;
  return (
    <div class={styles.choices} role="radiogroup" aria-label={payment.card} lang={language}>
      {options.map(([isSaved, label]) => (
        <label key={label} class={styles.option}>
          <input
            type="radio"
            name="saved-card"
            id={isSaved ? 'saved-card' : 'another-card'}
            checked={card.isSaved === isSaved}
            onChange={() => card.useSaved(isSaved)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

/** The stored card of the customer, which its security code pays with, or another one below it. */
export function SavedCard({ card, saved, problems }: SavedProps) {
  const { payment, labels, sandbox } = usePage().words;
  const { isSaved } = card;
  return (
    <>
      <Choice card={card} saved={saved} />
      {isSaved ? (
        <>
          <Field
            name="cvc"
            label={labels.cvc}
            problems={problems}
            inputMode="numeric"
            autoComplete="cc-csc"
            maxLength={saved.brand === 'amex' ? 4 : 3}
            required
          />
          <p id="saved-help" class={section.quiet}>
            {saved.codesLeft < 3 ? payment.codesLeft(saved.codesLeft) : payment.codeWhy}
            {card.isSandbox ? ` ${sandbox.savedCode}` : ''}
          </p>
        </>
      ) : null}
      {isSaved && card.steps.isDeclined ? (
        <Button kind="quiet" id="other-card" onClick={() => card.useSaved(false)}>
          {payment.otherCard}
        </Button>
      ) : null}
    </>
  );
}
