/** Suggestions under the first address line, each a button, with Close at the end (S52-S55, M25). Escape closes too. */
import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import type { AddressSearch } from './use-address-search.ts';
import styles from '../select/autocomplete.module.css';

export function AddressSuggestions({ search, children }: { search: AddressSearch; children: ReactNode }) {
  return (
    <div className={styles.anchor}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && search.suggestions.length > 0) { event.stopPropagation(); search.close(); }
      }}>
      {children}
      {search.suggestions.length > 0 && (
        <div className={styles.list} role="group" aria-label="Address suggestions">
          {search.suggestions.map((place) => (
            <button key={place.place_id} type="button" className={`${styles.option} ${styles.choice}`}
              onClick={() => search.choose(place.place_id)}>{place.description}</button>
          ))}
          <div className={styles.foot}>
            <Button size="small" variant="quiet" onClick={search.close}>Close</Button>
          </div>
        </div>
      )}
      <span role="status" className={styles.hidden}>
        {search.suggestions.length > 0 && `${search.suggestions.length} address suggestions`}
      </span>
    </div>
  );
}
