/** Words of the rights that terms grant. */
export const RIGHT_WORDS: Readonly<Record<string, string>> = {
  stage: 'Stage', stream_live: 'Live stream', stream_scheduled: 'Scheduled stream',
    stream_on_demand: 'Stream on demand',
  video_archival: 'Archive video', concert: 'Concert', excerpt: 'Excerpt',
};
