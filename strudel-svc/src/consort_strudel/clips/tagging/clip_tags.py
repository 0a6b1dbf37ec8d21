"""The tags of a clip as the tagger writes them."""

from dataclasses import dataclass, field

from consort_strudel.clips.tagging.vocabularies import ClipComplexity, ClipElement


@dataclass(frozen=True)
class AutoTags:
    element: ClipElement
    complexity: ClipComplexity
    instrument: list[str] = field(default_factory=list)
    technique: list[str] = field(default_factory=list)
    feeling: list[str] = field(default_factory=list)
    tempo: float | None = None
    """Beats a minute, if the code sets a tempo."""
    key: str | None = None
    """For example `C minor`, if the code names a scale or its notes leave no doubt."""
    requires_packs: list[str] = field(default_factory=list)
    """The addresses that the code loads samples from."""
