import {
  CheckCircledIcon,
  CrossCircledIcon,
  ExclamationTriangleIcon,
  InfoCircledIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import styles from './states.module.css';
import type { Tone } from './tone.ts';

const icons = {
  neutral: <InfoCircledIcon />,
  info: <InfoCircledIcon />,
  special: <InfoCircledIcon />,
  positive: <CheckCircledIcon />,
  warning: <ExclamationTriangleIcon />,
  negative: <CrossCircledIcon />,
} as const;

type CalloutProps = {
  readonly tone?: Tone;
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
};

/** Highlighted message whose color depends on the tone. */
export const Callout = ({ tone = 'info', title, actions, children }: CalloutProps) => (
  <div className={styles.callout} data-tone={tone}>
    <span className={styles.calloutIcon} aria-hidden="true">
      {icons[tone]}
    </span>
    <div className={styles.calloutBody}>
      {title !== undefined && <strong className={styles.calloutTitle}>{title}</strong>}
      {children !== undefined && <div>{children}</div>}
    </div>
    {actions !== undefined && <div className={styles.calloutActions}>{actions}</div>}
  </div>
);
