import { useState } from 'react';
import { useStore } from '../data/store.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import { notices } from './notices.ts';
import { drawerTab, isPaletteOpen, isShortcutListOpen } from './open-panels.ts';

const Palette = lazyPart(() => import('./palette/palette.tsx').then((module) => module.default));
const ShortcutList = lazyPart(() => import('./shortcut-list.tsx').then((module) => module.default));
const NoticeList = lazyPart(() => import('./notice-list.tsx').then((module) => module.default));
const Drawer = lazyPart(() => import('./drawer/drawer.tsx').then((module) => module.default));

/** Renders the panels of the frame. Each panel is loaded when it is first opened. */
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
    <>
      {palette && <Palette />}
      {list && <ShortcutList />}
      {drawer !== null && <Drawer />}
      {wasNoticed && <NoticeList />}
    </>
  );
}
