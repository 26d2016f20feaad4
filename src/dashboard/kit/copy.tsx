import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { shortId } from '../../ui/format/names.ts';
import styles from './copy.module.css';
import { useKit } from './provider.tsx';
import { Hidden } from './text.tsx';

/** Copies a text; `isCopied` holds for two seconds afterwards. */
export function useCopy(): { copy: (text: string) => void; isCopied: boolean } {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (text: string) => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return { copy, isCopied };
}

type CopyProps = {
  readonly value: string;
  /** What to show, where it is not the value. */
  readonly children?: ReactNode;
  /** Shows an id by its prefix and end. */
  readonly short?: boolean;
};

/** A value in the font of code with a button that copies it. */
export function Copy({ value, children, short = false }: CopyProps) {
  const { words } = useKit();
  return (
    <span className={styles.copy}>
      <code className={styles.value} title={short ? value : undefined}>
        {children ?? (short ? shortId(value) : value)}
      </code>
      <CopyButton value={value} label={words.copyOf(value)} />
    </span>
  );
}

/** Only the button that copies a text. */
export function CopyButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const { words } = useKit();
  const { copy, isCopied } = useCopy();
  return (
    <span className={styles.holder}>
      <AriaButton
        className={styles.button ?? ''}
        aria-label={label ?? words.copy}
        onPress={() => copy(value)}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </AriaButton>
      <span role="status">{isCopied && <Hidden>{words.copied}</Hidden>}</span>
    </span>
  );
}
