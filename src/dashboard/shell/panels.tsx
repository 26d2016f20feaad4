import { lazy, Suspense, useState } from 'react';
import { useStore } from '../data/store.ts';
import { notices } from './notices.ts';
import { drawerTab, isPaletteOpen, isShortcutListOpen } from './open-panels.ts';

const Palette = lazy(() => import('./palette/palette.tsx'));
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));
const NoticeList = lazy(() => import('./notice-list.tsx'));
const Drawer = lazy(() => import('./drawer/drawer.tsx'));

/** What lies over or below the page, loaded when it is first opened. */
export function Panels() {
  const [palette, list, drawer] = [
    useStore(isPaletteOpen),
    useStore(isShortcutListOpen),
    useStore(drawerTab),
  ];
  const hasNotices = useStore(notices).length > 0;
  const [wasNoticed, setNoticed] = useState(false);
  if (hasNotices && !wasNoticed) setNoticed(true);
  return (
    <Suspense>
      {palette && <Palette />}
      {list && <ShortcutList />}
      {drawer !== null && <Drawer />}
      {wasNoticed && <NoticeList />}
    </Suspense>
  );
}
