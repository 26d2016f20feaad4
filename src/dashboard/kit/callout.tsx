import CircleCheckIcon from 'lucide-react/icons/circle-check';
import CircleXIcon from 'lucide-react/icons/circle-x';
import InfoIcon from 'lucide-react/icons/info';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import styles from './states.module.css';
import type { Tone } from './tone.ts';

const icons = {
  neutral: <InfoIcon />,
  info: <InfoIcon />,
  special: <InfoIcon />,
  positive: <CircleCheckIcon />,
  warning: <TriangleAlertIcon />,
  negative: <CircleXIcon />,
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
