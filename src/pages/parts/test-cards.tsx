import { fieldElement } from '../data/field-values.ts';
import type { SandboxWords } from '../words/areas.ts';
import styles from './test-cards.module.css';

/** Fills in a card as if it were typed, and focuses a button. */
function fill(number: string, next: string): void {
  for (const [name, text] of [
    ['number', number],
    ['expiry', '12/40'],
    ['cvc', '123'],
  ] as const) {
    const field = fieldElement(name);
    if (field === null) continue;
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  document.getElementById(next)?.focus();
}

/** Lists the sandbox test cards. A click fills in the card and focuses the button. */
export function TestCards({
  next = 'pay',
  sandbox,
}: {
  readonly next?: string;
  readonly sandbox: SandboxWords;
}) {
  const cards = [
    ['4242 4242 4242 4242', sandbox.pays],
    ['4000 0000 0000 0002', sandbox.declined],
    ['4000 0000 0000 9995', sandbox.insufficient],
    ['4000 0000 0000 0069', sandbox.expired],
    ['4000 0000 0000 3220', sandbox.confirmation],
    ['4000 0000 0000 0341', sandbox.later],
  ] as const;
  return (
    <section id="hints" class={styles.hints} aria-labelledby="hints-title">
      <h2 id="hints-title" class={styles.title}>
        {sandbox.title}
      </h2>
      <p class={styles.text}>{sandbox.text}</p>
      <ul class={styles.list}>
        {cards.map(([number, effect]) => (
          <li key={number}>
            <button type="button" class={styles.card} onClick={() => fill(number, next)}>
              <span class={styles.number}>{number}</span>
              <span>{effect}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
