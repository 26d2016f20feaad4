import { Cross2Icon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import styles from './badge.module.css';
import { useKit } from './provider.tsx';
import type { Tone } from './tone.ts';

type BadgeProps = { readonly tone?: Tone; readonly children?: ReactNode };

/** A short label in a tone. */
export const Badge = ({ tone = 'neutral', children }: BadgeProps) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);

/** The state of a thing: a mark of its tone and its name. The shape of the mark differs by tone, not only its color. */
export const Status = ({ tone = 'neutral', children }: BadgeProps) => (
  <span className={styles.badge} data-tone={tone}>
    <span className={styles.mark} aria-hidden="true" />
    {children}
  </span>
);

type TagProps = {
  readonly children?: ReactNode;
  /** The text of the tag, for the label of its button. */
  readonly label: string;
  readonly onRemove?: () => void;
};

/** A value that was chosen, with a button to remove it. */
export const Tag = ({ children, label, onRemove }: TagProps) => {
  const { words } = useKit();
  return (
    <span className={styles.tag}>
      <span className={styles.tagText}>{children ?? label}</span>
      {onRemove !== undefined && (
        <AriaButton className={styles.remove ?? ''} aria-label={words.remove(label)} onPress={onRemove}>
          <Cross2Icon width={12} height={12} />
        </AriaButton>
      )}
    </span>
  );
};
