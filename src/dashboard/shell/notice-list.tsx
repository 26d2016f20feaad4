import XIcon from 'lucide-react/icons/x';
import { useStore } from '../data/store.ts';
import { IconButton } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { Copy } from '../kit/copy.tsx';
import { useWords } from '../words/words.ts';
import styles from './notices.module.css';
import { closeNotice, type Notice, notices } from './notices.ts';

const Item = ({ id, tone, text, requestId }: Notice) => {
  const words = useWords('kit');
  return (
    <div className={styles.notice}>
      <Callout
        tone={tone}
        actions={
          <IconButton size="sm" label={words.close} icon={<XIcon />} onPress={() => closeNotice(id)} />
        }
      >
        {text}
        {requestId !== null && <Copy value={requestId} />}
      </Callout>
    </div>
  );
};

/** List of toasts. Screen readers announce errors immediately, and other toasts at the next pause. */
export default function NoticeList() {
  const all = useStore(notices);
  const words = useWords('kit');
  const failures = all.filter(({ tone }) => tone === 'negative');
  const others = all.filter(({ tone }) => tone !== 'negative');
  return (
    <section aria-label={words.notices} className={styles.notices}>
      <div role="alert">
        {failures.map((notice) => (
          <Item key={notice.id} {...notice} />
        ))}
      </div>
      <div role="status">
        {others.map((notice) => (
          <Item key={notice.id} {...notice} />
        ))}
      </div>
    </section>
  );
}
