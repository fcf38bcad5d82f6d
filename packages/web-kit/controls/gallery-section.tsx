/** One group of controls in the gallery: a heading and a grid. */
import type { ReactNode } from 'react';
import styles from './controls.gallery.module.css';

export function GallerySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.grid}>{children}</div>
    </section>
  );
}
