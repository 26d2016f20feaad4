import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import XIcon from 'lucide-react/icons/x';
import { Button, IconButton } from '../button.tsx';
import { useKit } from '../provider.tsx';
import type { GridProps } from './grid.tsx';
import styles from './grid-notice.module.css';
import type { GridState } from './use-grid.ts';

/** State of the rows: loading for the first time, loaded, failed, or outdated because the connection was lost. */
export type GridStatus = 'loading' | 'ready' | 'error' | 'stale';

type GridNoticeProps<Row> = Pick<
  GridProps<Row>,
  'selected' | 'onSelect' | 'bulkActions' | 'arrived' | 'onShowArrived'
> & { readonly grid: GridState };

/** Bar with actions for the selected rows, or the button that shows new rows. */
export function GridNotice<Row>({
  selected,
  onSelect,
  bulkActions,
  arrived = 0,
  onShowArrived,
  grid,
}: GridNoticeProps<Row>) {
  const { words } = useKit();
  const count = selected?.size ?? 0;
  return (
    <>
      <span role="status" className={styles.spoken}>
        {count > 0 && words.selected({ count })}
      </span>
      {count > 0 && (
        <div className={styles.bulk}>
          <span className={styles.bulkCount}>{words.selected({ count })}</span>
          {bulkActions}
          <IconButton
            label={words.clearSelection}
            icon={<XIcon />}
            size="sm"
            onPress={() => {
              onSelect?.(new Set());
              grid.focus();
            }}
          />
        </div>
      )}
      {arrived > 0 && onShowArrived !== undefined && (
        <div className={styles.arrived}>
          <Button
            kind="primary"
            size="sm"
            icon={<ArrowUpIcon />}
            onPress={() => {
              onShowArrived();
              grid.scrollTo(0);
            }}
          >
            {words.arrived({ count: arrived })}
          </Button>
        </div>
      )}
    </>
  );
}
