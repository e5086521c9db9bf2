import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { usePlace } from '../data/place.ts';
import { KeyBar } from './key-bar.tsx';
import { rememberPlace } from './last-place.ts';
import { Rail } from './rail.tsx';
import { Search } from './search.tsx';
import { ShellKeys } from './shell-keys.tsx';
import { TopBar } from './top-bar.tsx';

/** Screens at the left, place at the top, keys at the bottom. */
export function Frame() {
  const place = usePlace();
  const [isSearching, setIsSearching] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is made anew with each drawing
  useEffect(() => rememberPlace(place), [place.company, place.branch, place.month]);
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Ir para o conteúdo
      </a>
      <ShellKeys onSearch={() => setIsSearching(true)} />
      <Rail />
      <TopBar onSearch={() => setIsSearching(true)} />
      <Outlet />
      <KeyBar />
      {isSearching && <Search onClose={() => setIsSearching(false)} />}
    </div>
  );
}
