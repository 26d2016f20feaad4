import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import type { ReactNode } from 'react';
import { percentText } from '../../../ui/format/numbers.ts';
import { useKit } from '../provider.tsx';
import styles from './change.module.css';

type ChangeProps = {
  /** Change as a fraction; 0.12 is an increase of 12%. Only its sign is used if there are children. */
  readonly share: number;
  /** True if an increase is unfavorable, as for churn. */
  readonly isMoreWorse?: boolean;
  /** Text of the change, for changes that aren't percentages. */
  readonly children?: ReactNode;
};

/** Change of a metric: an arrow and a percentage. Green is favorable, and red is unfavorable. */
export function Change({ share, isMoreWorse = false, children }: ChangeProps) {
  const { locale } = useKit();
  const tone = share === 0 ? 'none' : share > 0 !== isMoreWorse ? 'better' : 'worse';
  return (
    <span className={styles.change} data-tone={tone}>
      {share > 0 && <ArrowUpIcon aria-hidden="true" />}
      {share < 0 && <ArrowDownIcon aria-hidden="true" />}
      {children ?? percentText(share, locale, { sign: true })}
    </span>
  );
}
