import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { moneyText } from '../format.ts';
import type { PushWords } from '../words/areas.ts';
import { Button } from './button.tsx';
import type { CollectionPartsFragment } from './collection.graphql';
import styles from './instructions.module.css';
import section from './section.module.css';

export type InstructionsProps = {
  readonly collection: CollectionPartsFragment;
  readonly units: { readonly currency: string; readonly currencyDecimals: number };
};

/** Formats a time in the payer's time zone, such as "May 7, 2027, 2:59 AM GMT". */
const momentText = (language: string, instant: string): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(instant));

/** Time for which a button confirms that a value was copied. */
const copiedMs = 2_000;

/** Value that the payer copies. The value can also be selected. */
function Copied({
  name,
  label,
  value,
  words,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly words: PushWords;
}) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div class={styles.value}>
      <span class={section.quiet} id={`${name}-label`}>
        {label}
      </span>
      <output class={styles.text} id={name} aria-labelledby={`${name}-label`}>
        {value}
      </output>
      <Button
        kind="quiet"
        id={`copy-${name}`}
        onClick={() =>
          void navigator.clipboard.writeText(value.replaceAll(' ', '')).then(() => setIsCopied(true))
        }
      >
        <span aria-live="polite">{isCopied ? words.copied : words.copy({ label })}</span>
      </Button>
    </div>
  );
}

/** Groups the digits of a boleto line as on a printed boleto. */
const groupedLine = (line: string): string =>
  line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.*)$/, '$1.$2 $3.$4 $5.$6 $7 $8');

/** Instructions for a payment that the payer starts: a QR code, the line of a payment slip, or the details of a bank account. */
export function Instructions({
  collection,
  units,
  words,
}: InstructionsProps & { readonly words: PushWords }) {
  const page = usePage();
  const { instructions, expiresAt, amount } = collection;
  if (instructions === null) return null;
  const { code, qrCode, line, accountHolder, iban, bankName, reference, type } = instructions;
  return (
    <section id="instructions" class={section.fields} aria-label={words.title}>
      <p>{words.steps[type]({ amount: moneyText(page, units, amount) })}</p>
      {qrCode === null ? null : (
        <svg
          class={styles.qr}
          viewBox={`0 0 ${qrCode.size} ${qrCode.size}`}
          role="img"
          aria-label={words.qrCode}
        >
          <rect width="100%" height="100%" fill="#fff" />
          <path d={qrCode.path} fill="#000" />
        </svg>
      )}
      {code === null ? null : <Copied name="pix-code" label={words.code} value={code} words={words} />}
      {line === null ? null : (
        <Copied name="boleto-line" label={words.line} value={groupedLine(line)} words={words} />
      )}
      {accountHolder === null ? null : (
        <p>
          {words.holder}: {accountHolder}
          {bankName === null ? '' : `, ${bankName}`}
        </p>
      )}
      {iban === null ? null : <Copied name="iban" label={words.iban} value={iban} words={words} />}
      {reference === null ? null : (
        <Copied name="reference" label={words.reference} value={reference} words={words} />
      )}
      {expiresAt === null ? null : (
        <p class={section.quiet}>{words.expires({ time: momentText(page.language, expiresAt) })}</p>
      )}
      <p id="waiting" class={section.quiet}>
        {words.waiting}
      </p>
    </section>
  );
}
