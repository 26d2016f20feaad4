import CheckIcon from 'lucide-react/icons/check';
import CopyIcon from 'lucide-react/icons/copy';
import { type ReactNode, useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { shortId } from '../../ui/format/names.ts';
import styles from './copy.module.css';
import { useKit } from './provider.tsx';
import { Hidden } from './text.tsx';

/** Returns a function that copies a string. `isCopied` is true for 2 seconds after copying. */
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
  /** Content to show instead of the value. */
  readonly children?: ReactNode;
  /** True to abbreviate an ID to its prefix and end. */
  readonly short?: boolean;
  /** True for a value that isn't code, such as an email address. */
  readonly isText?: boolean;
};

/** Value in a monospace font with a copy button. */
export function Copy({ value, children, short = false, isText = false }: CopyProps) {
  const Value = isText ? 'span' : 'code';
  const { words } = useKit();
  return (
    <span className={styles.copy}>
      <Value className={styles.value} title={short ? value : undefined} data-text={isText || undefined}>
        {children ?? (short ? shortId(value) : value)}
      </Value>
      <CopyButton value={value} label={words.copyOf({ what: value })} />
    </span>
  );
}

/** Button that copies a value that isn't displayed. */
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
