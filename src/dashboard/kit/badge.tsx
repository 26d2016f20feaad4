import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import styles from './badge.module.css';
import { cx } from './class-names.ts';
import { useKit } from './provider.tsx';
import type { Tone } from './tone.ts';

type BadgeProps = { readonly tone?: Tone; readonly children?: ReactNode };

/** Short label whose color depends on the tone. */
export const Badge = ({ tone = 'neutral', children }: BadgeProps) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);

/** Status name after a mark. Marks differ in shape as well as color: a circle, ring, diamond or square. */
export const Status = ({ tone = 'neutral', children }: BadgeProps) => (
  <span className={cx(styles.badge, styles.status)} data-tone={tone}>
    <span className={styles.mark} aria-hidden="true" />
    {children}
  </span>
);

type TagProps = {
  readonly children?: ReactNode;
  /** Text of the tag, for the accessible name of its remove button. */
  readonly label: string;
  readonly onRemove?: () => void;
};

/** Tag for a selected value, with a remove button. */
export const Tag = ({ children, label, onRemove }: TagProps) => {
  const { words } = useKit();
  return (
    <span className={styles.tag}>
      <span className={styles.tagText}>{children ?? label}</span>
      {onRemove !== undefined && (
        <AriaButton
          className={styles.remove ?? ''}
          aria-label={words.remove({ what: label })}
          onPress={onRemove}
        >
          <XIcon width={12} height={12} />
        </AriaButton>
      )}
    </span>
  );
};
