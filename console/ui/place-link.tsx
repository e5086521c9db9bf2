import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOf, type Place, type Search, usePlace } from '../data/place.ts';
import { screenAt } from '../routes.tsx';

interface PlaceLinkProps {
  /** What differs from where the user is. */
  readonly to: Partial<Place>;
  readonly search?: Search;
  readonly children: ReactNode;
}

/** A link to another place; text alone where the console has no such screen. */
export function PlaceLink({ to, search, children }: PlaceLinkProps) {
  const here = usePlace();
  const there = { ...here, ...to };
  if (screenAt(there.screen) === undefined) return <>{children}</>;
  return (
    <Link to={addressOf(there, search)} preload={false}>
      {children}
    </Link>
  );
}
