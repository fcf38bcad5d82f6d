/**
 * Markers on a map of the maps service, near ones gathered: grid 60, two at least, 2,000 at a time, a click on a
 * cluster zooms in (SPEC.md 9, S67, C72 to C75; these are the clusterer's own figures, named so that they stay).
 * Every place is also a link in the list below: the map alone is no way for a keyboard.
 */
import { Clusterer } from '@react-google-maps/marker-clusterer';
import { useEffect, useRef, useState } from 'react';
import { Autocomplete } from '#web/controls/select/autocomplete.tsx';
import type { PlacesPort } from '#web/controls/address/places-port.ts';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import type { MapsLoader } from './maps-loader.ts';
import { usePlacesAutocomplete } from './use-places-autocomplete.ts';
import styles from './place-map.module.css';

const CLUSTER_OPTIONS = { gridSize: 60, minimumClusterSize: 2, batchSize: 2000, zoomOnClick: true } as const;

/** A disc in the house's colour; the clusterer's own pictures come from another site. */
const DISC = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
  + '<circle cx="20" cy="20" r="19" fill="#7d1c3f" stroke="#fff" stroke-width="2"/></svg>')}`;
const DISC_STYLE = { url: DISC, width: 40, height: 40, textColor: '#fff', textSize: 13 };

export interface MapPlace { id: number; name: string; note: string; href: string; lat: number; lng: number }
/** Handle for moving a drawn map. */
export interface DrawnMap { setCenter: (at: { lat: number; lng: number }) => void; setZoom: (zoom: number) => void }
/** Puts the places on a map inside the frame; a click on one goes to its page. */
export type DrawMap = (frame: HTMLElement, places: readonly MapPlace[], go: (href: string) => void) => DrawnMap;
export interface PlaceMapProps {
  label: string;
  places: readonly MapPlace[];
  loader: MapsLoader;
  port: PlacesPort;
  /** The service's map, unless another is handed in. */
  draw?: DrawMap | undefined;
}

/** Zoom of a town, for a place that was looked for. */
const TOWN_ZOOM = 11;

const drawOnService: DrawMap = (frame, places, go) => {
  const map = new google.maps.Map(frame, { center: { lat: 30, lng: -30 }, zoom: 2, streetViewControl: false,
    mapTypeControl: false, keyboardShortcuts: true });
  const bounds = new google.maps.LatLngBounds();
  const markers = places.map(({ lat, lng, name, href }) => {
    const marker = new google.maps.Marker({ position: { lat, lng }, title: name });
    marker.addListener('click', () => go(href));
    bounds.extend({ lat, lng });
    return marker;
  });
  const clusterer = new Clusterer(map, markers, { ...CLUSTER_OPTIONS, styles: [DISC_STYLE] });
  clusterer.setTitle('Zoom in on these places');
  if (places.length > 0) map.fitBounds(bounds);
  return map;
};

export default function PlaceMap({ label, places, loader, port, draw = drawOnService }: PlaceMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const map = useRef<DrawnMap>(undefined);
  const [there, setThere] = useState<boolean | null>(null);
  const { go } = useNavigation();
  useEffect(() => { void loader.load().then(setThere); }, [loader]);
  useEffect(() => {
    if (there && frame.current) map.current = draw(frame.current, places, go);
  }, [there, places, go, draw]);
  return (
    <div className={styles.frame}>
      {there === false
        ? <EmptyState role="status" title="The map cannot be reached" text="Here are the places it would show." />
        : (
          <>
            <NearSearch port={port}
              onPlace={(at) => { map.current?.setCenter(at); map.current?.setZoom(TOWN_ZOOM); }} />
            <div ref={frame} role="region" aria-label={label} className={styles.map}>
              {there === null && <Skeleton />}
            </div>
          </>
        )}
      <ul className={styles.list}>
        {places.map((place) => (
          <li key={place.id}><AppLink href={place.href}>{place.name}</AppLink> <span>{place.note}</span></li>
        ))}
      </ul>
    </div>
  );
}

function NearSearch({ port, onPlace }: { port: PlacesPort; onPlace: (at: { lat: number; lng: number }) => void }) {
  const [text, setText] = useState('');
  const search = usePlacesAutocomplete(port);
  const choose = async (placeId: string) => {
    setText(search.suggestions.find((one) => one.place_id === placeId)?.description ?? text);
    search.clear();
    const at = await port.locate(placeId);
    if (at) onPlace(at);
  };
  return (
    <Autocomplete label="Near" placeholder="A town or an address" value={text} loading={search.loading}
      items={search.suggestions.map(({ place_id, description }) => ({ id: place_id, label: description }))}
      onChange={(next) => { setText(next); search.ask(next); }} onChoose={(id) => void choose(id)} />
  );
}
